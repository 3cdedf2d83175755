BEGIN { x = this.y; }
