pid$20:::entry { }
