// flame_overview
