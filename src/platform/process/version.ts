import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const about = readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8');

/** The version of this Onward, such as 0.1.0. */
export const version: string = JSON.parse(about).version;
