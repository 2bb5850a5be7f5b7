"""What several pages show: boxes, downloads, the sidebar."""
