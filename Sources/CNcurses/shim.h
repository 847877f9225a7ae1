#pragma once
// Wide characters need this before the header.
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>

// ncurses' globals and macros, which Swift cannot use as they are.
static inline WINDOW *thrum_stdscr(void) { return stdscr; }
