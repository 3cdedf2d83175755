translator struct out { };
