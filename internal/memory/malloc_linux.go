package memory

/*
#include <malloc.h>

// Few arenas: each thread of the engines would keep free memory in one of its own.
static void quipu_arrange(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 2);
#endif
}

static void quipu_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
*/
import "C"

// Arrange tells the C library to keep little memory that is not in use. It is
// to be called before the engines start.
func Arrange() { C.quipu_arrange() }

// trimC gives memory that the C library keeps free back to the system.
func trimC() { C.quipu_trim() }
