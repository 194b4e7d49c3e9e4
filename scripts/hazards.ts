import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderClinicalSafety } from './generate/hazards.ts';

/** Writes the hazard log alone, in a second: `npm run generate` needs a database. */
writeFileSync(join(import.meta.dirname, '..', 'docs', 'clinical-safety.md'), renderClinicalSafety());
