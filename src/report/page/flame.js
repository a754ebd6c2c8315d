// flame
