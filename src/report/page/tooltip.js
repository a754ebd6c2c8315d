// tooltip
