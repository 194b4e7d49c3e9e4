/** The result of a check of the site, in words. `remedy` says what to do; it is undefined if nothing is wrong. */
export type CheckResult = { readonly result: string; readonly remedy?: string };
