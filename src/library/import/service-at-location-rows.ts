import type { Service } from '../hsds/service.ts';
import { singleValues } from './single-values.ts';

/** A service at one of its locations as it is stored: JSON texts to which an answer adds the service. */
export type ServiceAtLocationRow = { number: number; id: string; document: string; summary: string };

/** One without an id has no address, and is found in its service alone. */
export function serviceAtLocationRows(service: Service): ServiceAtLocationRow[] {
  const { service_at_locations: places = [], id: service_id, name, status } = service;
  return places.flatMap((place, index) => {
    if (place.id === undefined) return [];
    const { location } = place;
    const { service: _, service_id: __, location_id = location?.id, ...own } = place as Given;
    const links = { service_id, location_id };
    return {
      number: index + 1,
      id: place.id,
      // The published OpenAPI documents hold an answer to one of these against the schema of a service, which must
      // have a name and a status. With these beside the rest it satisfies that schema and its own.
      document: JSON.stringify({ ...own, ...links, name, status }),
      summary: JSON.stringify({
        ...singleValues(own),
        ...links,
        location: location && singleValues(location),
      }),
    };
  });
}

/** What HSDS does not name here, but feeds may. */
type Given = { location_id?: unknown; service?: unknown; service_id?: unknown };
