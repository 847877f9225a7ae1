#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
// Wide characters and plain functions: Swift sees no macros, and the loader needs names it can look for.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <ncurses.h>

// ncurses, loaded when a screen is opened, so that every other command starts without it and a machine without it can do
// all else.
//
// The headers give the types. Of the functions, only those of the list below can be called, with `thrum_`
// before their names; one that is called under its own name is missing when the program is linked.

// X(result, name, parameters, arguments) for each function in use.
#define THRUM_NCURSES_CALLS(X) \
    X(SCREEN *, newterm, (const char *type, FILE *output, FILE *input), (type, output, input)) \
    X(int, endwin, (void), ()) \
    X(int, cbreak, (void), ()) \
    X(int, noecho, (void), ()) \
    X(int, nonl, (void), ()) \
    X(int, keypad, (WINDOW *window, bool on), (window, on)) \
    X(int, nodelay, (WINDOW *window, bool on), (window, on)) \
    X(int, set_escdelay, (int milliseconds), (milliseconds)) \
    X(int, curs_set, (int visibility), (visibility)) \
    X(bool, has_colors, (void), ()) \
    X(int, start_color, (void), ()) \
    X(int, use_default_colors, (void), ()) \
    X(int, init_pair, (short pair, short ink, short paper), (pair, ink, paper)) \
    X(int, wattr_set, (WINDOW *window, attr_t attributes, short pair, void *none), \
      (window, attributes, pair, none)) \
    X(int, mvwaddnwstr, (WINDOW *window, int row, int column, const wchar_t *text, int count), \
      (window, row, column, text, count)) \
    X(int, wmove, (WINDOW *window, int row, int column), (window, row, column)) \
    X(int, werase, (WINDOW *window), (window)) \
    X(int, clearok, (WINDOW *window, bool on), (window, on)) \
    X(int, wrefresh, (WINDOW *window), (window)) \
    X(int, resizeterm, (int rows, int columns), (rows, columns)) \
    X(int, wget_wch, (WINDOW *window, wint_t *key), (window, key)) \
    X(char *, tigetstr, (const char *name), (name))

// Where the functions are. Each has the type of ncurses' own declaration: a wrong line above does not compile.
struct thrum_ncurses_table {
#define X(result, name, parameters, arguments) __typeof__(name) *name;
    THRUM_NCURSES_CALLS(X)
#undef X
    WINDOW **stdscr_place;
};

// The table that the functions below go through; empty until thrum_ncurses_load has said yes.
extern struct thrum_ncurses_table thrum_ncurses_loaded;

#define X(result, name, parameters, arguments) \
    static inline result thrum_##name parameters { return thrum_ncurses_loaded.name arguments; }
THRUM_NCURSES_CALLS(X)
#undef X

// The whole screen, a global of ncurses; there once newterm has been called.
static inline WINDOW *thrum_stdscr(void) { return *thrum_ncurses_loaded.stdscr_place; }

// newterm on the standard streams, which are globals too, for the type that TERM names.
static inline SCREEN *thrum_newterm_standard(void) { return thrum_newterm(NULL, stdout, stdin); }

// Attributes, macros that Swift does not see.
static const attr_t thrum_attribute_bold = A_BOLD;
static const attr_t thrum_attribute_dim = A_DIM;
static const attr_t thrum_attribute_reverse = A_REVERSE;
static const attr_t thrum_attribute_underline = A_UNDERLINE;

// Loads ncurses, the first time it is called, and says whether it is there. Any thread; all get the one answer.
bool thrum_ncurses_load(void);

// Why not, in the words of the dynamic linker; empty where it is there. For after thrum_ncurses_load.
const char *thrum_ncurses_load_error(void);

// The terminal as it was found, and the way back to it whatever ends the process but SIGKILL.
//
// Standard error, where it is a terminal, is kept in memory meanwhile, so that nothing is written over the screen; it is told when
// the terminal is back.

// Notes how the terminal of standard input is set. For before newterm. Says whether it is a terminal.
bool thrum_terminal_note(void);

// Takes the signals over that mean the terminal, and those of a crash, and holds standard error back.
// `restore` is written to standard output where nobody else can put the terminal back: at most 512 bytes count.
void thrum_terminal_take(const char *restore, size_t size);

// Takes line editing and echo away and nothing else, so that a key is there when it is pressed; ctrl-Z and what follows it are
// seen to. thrum_terminal_restore ends it. Says whether the terminal lets it be done.
bool thrum_terminal_take_keys(void);

// Notes that the terminal is the process's (again), or is the shell's.
void thrum_terminal_set_held(bool is_held);

// Puts the terminal back by the noted bytes and settings, if it is held. Async-signal-safe.
void thrum_terminal_restore(void);

// Gives the signals back, and tells what was held back of standard error.
void thrum_terminal_release(void);

// Readable when a signal has come that means the terminal: a letter for each, 'Z' (stop), 'C' (go on), 'W' (size).
int thrum_terminal_signals(void);

// Stops the process as ctrl-Z does where nobody catches it; comes back when it goes on.
void thrum_terminal_stop(void);

// Rows and columns of the terminal of standard output; false where it does not say.
bool thrum_terminal_size(int *rows, int *columns);

// What was written to standard error since the call before and is held back, at most `size` bytes of its end; 0 for nothing.
size_t thrum_terminal_take_errors(char *text, size_t size);
