enum mod`e { A };
