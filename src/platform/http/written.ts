/**
 * The pattern of a text with something to read in it, and without NUL, which PostgreSQL cannot store. What may begin it
 * cannot go on with it: with two parts that may share a text, the regular expression would try each place between them.
 */
export const written = '^\\s*[^\\u0000\\s][^\\u0000]*$';
