/**
 * The countries of the built-in tables of holidays, and the names of their regions, by their codes. The build
 * fills it in, see `build/list-holiday-places.ts`.
 */
export const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
