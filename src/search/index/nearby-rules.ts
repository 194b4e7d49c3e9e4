import { coversPostcode, ways } from '../../library/index.ts';
import type { NearbySearch } from '../query/criteria.ts';
import { bitsOf, type ServiceColumns, type ServiceNumber } from './service-columns.ts';

/** What a postcode or place says about a service. */
export type NearbyTests = {
  /** Whether a service covers the postcode; undefined if nobody knows. */
  covers(service: ServiceNumber): boolean | undefined;
  /** Whether somebody can use the service however far away it is. */
  reaches(service: ServiceNumber): boolean;
  /**
   * Whether the service comes to the person, by phone, online or at home, so that its place says nothing about how well it fits.
   * `isPositionKnown`: whether it is known where the service is.
   */
  comesToPerson(service: ServiceNumber, about: { isPositionKnown: boolean }): boolean;
};

const [home, remote] = [bitsOf(ways, ['home']), bitsOf(ways, ['phone', 'online'])];

export function nearbyTests(services: ServiceColumns, nearby: NearbySearch | undefined): NearbyTests {
  const needsNoVisit = (service: ServiceNumber) => (services.ways.values[service]! & (home | remote)) !== 0;
  if (!nearby) {
    return {
      covers: () => undefined,
      reaches: () => false,
      comesToPerson: (service, { isPositionKnown }) => !isPositionKnown && needsNoVisit(service),
    };
  }
  const { postcode, outlinedHere } = nearby;
  const coveredByCodes = codesTest(services, postcode);
  const covers = (service: ServiceNumber): boolean | undefined => {
    if (services.hasOutlinedArea.values[service] === 0) return coveredByCodes(service);
    if (outlinedHere.has(services.ids[service]!)) return true;
    if (services.hasUnclearAreas.values[service] === 0) return false;
    // Some of the service's areas have no outline, so it may still cover the postcode when its codes are elsewhere.
    return coveredByCodes(service) ? true : undefined;
  };
  const reaches = (service: ServiceNumber) => {
    if (!needsNoVisit(service)) return false;
    const covered = covers(service);
    return covered === true || (covered === undefined && (services.ways.values[service]! & remote) !== 0);
  };
  return {
    covers,
    reaches,
    // Offices all over the country also offer a telephone. If one does not say its area, the distance of its place counts.
    comesToPerson: (service, { isPositionKnown }) =>
      needsNoVisit(service) && (!isPositionKnown || covers(service) === true),
  };
}

/** Each code is compared once, however many services share it. */
function codesTest(
  { areaCodes, areaCodeNumbers, isWholeArea }: ServiceColumns,
  postcode: NearbySearch['postcode'],
) {
  const known = new Map<number, boolean | undefined>();
  const coversCode = (number: number) => {
    if (!known.has(number)) {
      const codes = [areaCodeNumbers.text(number)];
      known.set(number, coversPostcode({ codes, isWhole: true }, postcode));
    }
    return known.get(number);
  };
  return (service: ServiceNumber): boolean | undefined => {
    const [start, end] = [areaCodes.starts.values[service]!, areaCodes.ends.values[service]!];
    if (start === end) return undefined;
    let isOutside = isWholeArea.values[service] === 1;
    for (let at = start; at < end; at += 1) {
      const covered = coversCode(areaCodes.values[at]!);
      if (covered === true) return true;
      if (covered === undefined) isOutside = false;
    }
    return isOutside ? false : undefined;
  };
}
