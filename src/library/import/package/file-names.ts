import { tables } from './tables.ts';
import { upgrades } from './upgrade-row.ts';

/** What a package may hold besides, that is of no use here. */
export const passedOver = new Set(['meta_table_description', 'meta_table_descriptions']);

const irregular: Readonly<Record<string, string>> = {
  services_at_location: 'service_at_location',
  services_at_locations: 'service_at_location',
  services_taxonomy: 'service_taxonomy',
  services_taxonomies: 'service_taxonomy',
  payments_accepted: 'payment_accepted',
  organisation: 'organization',
  organisations: 'organization',
};

const known = new Map<string, string>(Object.entries(irregular));
for (const name of [...Object.keys(tables), ...Object.keys(upgrades)]) {
  for (const each of [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')]) known.set(each, name);
}

/** The table that a file is of, in any version: by its name in the package's description, or by its own. */
export function tableOf(path: string, described: ReadonlyMap<string, string>): string | undefined {
  return known.get(described.get(path) ?? '') ?? known.get(baseName(path));
}

export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\.csv$/, '');
}

/** Of `datapackage.json`, which path is which table. Anything it lacks is guessed from the files' names. */
export function describedFiles(text: string): Map<string, string> {
  const found = new Map<string, string>();
  try {
    const { resources } = JSON.parse(text) as { resources?: unknown };
    for (const resource of Array.isArray(resources) ? resources : []) {
      const { name, path } = (resource ?? {}) as { name?: unknown; path?: unknown };
      if (typeof name === 'string' && typeof path === 'string') found.set(path, name.toLowerCase());
    }
  } catch {
    // Not needed: the files' names say it as well.
  }
  return found;
}
