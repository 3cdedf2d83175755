translator struct out < int > { };
