typedef nonsense name;
