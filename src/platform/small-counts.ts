/**
 * The smallest count of people that others may see. A smaller one could say something about single people. Texts that say “1 to 7” or
 * “fewer than 8” follow it.
 */
export const minShownCount = 8;
