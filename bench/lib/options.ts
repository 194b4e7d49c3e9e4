import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The folder of the large files that are not part of the project: England's services, postcodes. */
export const dataFolder = process.env.BENCH_DATA ?? join(root, '..', 'shared', 'data');

/** The share of its time and size that each bench takes: 0.1 to see that it runs, 1 to measure. */
const share = Number(process.env.BENCH_SHARE ?? 1);

export const scaled = (whole: number) => Math.max(1, Math.round(whole * share));
