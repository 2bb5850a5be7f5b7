"""What each metric credits: units, links, tables, and the marginal value of each mention."""
