// flame_view
