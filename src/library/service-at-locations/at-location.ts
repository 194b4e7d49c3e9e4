import type { Service } from '../model/service.ts';
import { singleValues } from '../write/service-row.ts';

export type AtLocationForm = 'summary' | 'document';

/** A service at one of its locations, by its place in the service's list, as an answer has it; but for the service itself. */
export function atLocation(form: AtLocationForm, service: Service, number: number): object | undefined {
  const { service_at_locations: places = [], id: service_id, name, status } = service;
  const place = places[number - 1];
  if (place === undefined) return undefined;
  const { location } = place;
  const { service: _, service_id: __, location_id = location?.id, ...own } = place as Given;
  const links = { service_id, location_id };
  // The published OpenAPI documents hold an answer to one of these against the schema of a service, which must
  // have a name and a status. With these beside the rest it satisfies that schema and its own.
  if (form === 'document') return { ...own, ...links, name, status };
  return { ...singleValues(own), ...links, location: location && singleValues(location) };
}

/** What HSDS does not name here, but feeds may. */
type Given = { location_id?: unknown; service?: unknown; service_id?: unknown };
