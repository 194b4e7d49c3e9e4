import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleMap } from './sample-map/make-map.ts';

// Writes sample/map.pmtiles, the ground of the sample valley. `npm run -s sample-map`

const sample = join(import.meta.dirname, '..', 'sample');
const map = makeSampleMap(readFileSync(join(sample, 'postcodes.csv'), 'utf8'));
writeFileSync(join(sample, 'map.pmtiles'), map);
console.log(`sample/map.pmtiles: ${Math.ceil(map.length / 1024)} KB`);
