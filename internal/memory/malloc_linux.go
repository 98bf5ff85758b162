package memory

/*
#include <malloc.h>

// Few arenas: each thread of the engines would keep free memory in one of its own. Large pieces, write buffers
// above all, stay apart: by itself the library would soon put them among the small ones, which then lie where a
// buffer was and keep what is free around them from being given back.
static void quipu_arrange(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
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
