#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

// Cairo, loaded when the first picture is begun. Linked it would bring twenty libraries of fonts and windows,
// and every command would wait for them at its start; this way only pictures do, and a machine
// without Cairo can do all else.
//
// The headers give the types. Of the functions, only those of the list below can be called, with `thrum_`
// before their names; one that is called under Cairo's own name is missing when the program is linked.

// X(result, name, parameters, arguments) for each function in use.
#define THRUM_CAIRO_CALLS(X) \
    X(cairo_t *, cairo_create, (cairo_surface_t *s), (s)) \
    X(void, cairo_destroy, (cairo_t *c), (c)) \
    X(cairo_status_t, cairo_status, (cairo_t *c), (c)) \
    X(const char *, cairo_status_to_string, (cairo_status_t status), (status)) \
    X(void, cairo_save, (cairo_t *c), (c)) \
    X(void, cairo_restore, (cairo_t *c), (c)) \
    X(cairo_surface_t *, cairo_image_surface_create, (cairo_format_t format, int width, int height), \
      (format, width, height)) \
    X(cairo_surface_t *, cairo_svg_surface_create_for_stream, \
      (cairo_write_func_t write, void *closure, double width, double height), \
      (write, closure, width, height)) \
    X(void, cairo_svg_surface_set_document_unit, (cairo_surface_t *s, cairo_svg_unit_t unit), (s, unit)) \
    X(cairo_status_t, cairo_surface_write_to_png_stream, \
      (cairo_surface_t *s, cairo_write_func_t write, void *closure), (s, write, closure)) \
    X(cairo_status_t, cairo_surface_status, (cairo_surface_t *s), (s)) \
    X(void, cairo_surface_flush, (cairo_surface_t *s), (s)) \
    X(void, cairo_surface_finish, (cairo_surface_t *s), (s)) \
    X(void, cairo_surface_destroy, (cairo_surface_t *s), (s)) \
    X(void, cairo_scale, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, cairo_translate, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, cairo_rotate, (cairo_t *c, double angle), (c, angle)) \
    X(void, cairo_new_path, (cairo_t *c), (c)) \
    X(void, cairo_close_path, (cairo_t *c), (c)) \
    X(void, cairo_move_to, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, cairo_line_to, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, cairo_rectangle, (cairo_t *c, double x, double y, double width, double height), \
      (c, x, y, width, height)) \
    X(void, cairo_arc, (cairo_t *c, double x, double y, double radius, double start, double end), \
      (c, x, y, radius, start, end)) \
    X(void, cairo_paint, (cairo_t *c), (c)) \
    X(void, cairo_fill, (cairo_t *c), (c)) \
    X(void, cairo_stroke, (cairo_t *c), (c)) \
    X(void, cairo_clip, (cairo_t *c), (c)) \
    X(void, cairo_set_line_width, (cairo_t *c, double width), (c, width)) \
    X(void, cairo_set_line_join, (cairo_t *c, cairo_line_join_t join), (c, join)) \
    X(void, cairo_set_dash, (cairo_t *c, const double *lengths, int count, double offset), \
      (c, lengths, count, offset)) \
    X(void, cairo_set_source_rgba, (cairo_t *c, double red, double green, double blue, double alpha), \
      (c, red, green, blue, alpha)) \
    X(void, cairo_select_font_face, \
      (cairo_t *c, const char *family, cairo_font_slant_t slant, cairo_font_weight_t weight), \
      (c, family, slant, weight)) \
    X(void, cairo_set_font_size, (cairo_t *c, double size), (c, size)) \
    X(void, cairo_set_font_options, (cairo_t *c, const cairo_font_options_t *options), (c, options)) \
    X(void, cairo_show_text, (cairo_t *c, const char *text), (c, text)) \
    X(void, cairo_text_extents, (cairo_t *c, const char *text, cairo_text_extents_t *extents), \
      (c, text, extents)) \
    X(cairo_font_options_t *, cairo_font_options_create, (void), ()) \
    X(void, cairo_font_options_destroy, (cairo_font_options_t *o), (o)) \
    X(void, cairo_font_options_set_hint_style, (cairo_font_options_t *o, cairo_hint_style_t style), \
      (o, style)) \
    X(void, cairo_font_options_set_hint_metrics, (cairo_font_options_t *o, cairo_hint_metrics_t metrics), \
      (o, metrics)) \
    X(void, cairo_font_options_set_antialias, (cairo_font_options_t *o, cairo_antialias_t antialias), \
      (o, antialias))

// Where the functions are. Each has the type of Cairo's own declaration: a wrong line above does not compile.
struct thrum_cairo_table {
#define X(result, name, parameters, arguments) __typeof__(name) *name;
    THRUM_CAIRO_CALLS(X)
#undef X
};

// The table that the functions below go through; empty until thrum_cairo_load has said yes.
extern struct thrum_cairo_table thrum_cairo_loaded;

#define X(result, name, parameters, arguments) \
    static inline result thrum_##name parameters { return thrum_cairo_loaded.name arguments; }
THRUM_CAIRO_CALLS(X)
#undef X

// Loads Cairo, the first time it is called, and says whether it is there. Any thread; all get the one answer.
bool thrum_cairo_load(void);

// Why not, in the words of the dynamic linker; empty where it is there. For after thrum_cairo_load.
const char *thrum_cairo_load_error(void);

// Loads a library by its name and fills a table from it, or gives the reason and leaves nothing loaded.
bool thrum_cairo_resolve(const char *library, struct thrum_cairo_table *table, char *reason, size_t size);
