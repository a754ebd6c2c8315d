// tile_chart
