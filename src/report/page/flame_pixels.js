// flame_pixels
