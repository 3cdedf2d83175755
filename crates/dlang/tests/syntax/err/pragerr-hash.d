#error stop
