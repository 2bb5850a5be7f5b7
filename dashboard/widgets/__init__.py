"""What several pages show: boxes, downloads, the side bar."""
