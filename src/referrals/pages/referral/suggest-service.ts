import { type ListedService, listOpenToReferrals, listSensitiveServices } from '../../../library/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type LibraryFollower, readListRequest, searchServices } from '../../../search/index.ts';

export type SuggestDeps = WebPlatform & { libraryFollower: LibraryFollower };

const maxSearchLength = 100;
const maxOffered = 8;

export type OfferedService = { id: string; name: string; organization: string | undefined };

/**
 * Services for what was typed, to be suggested: those that take referrals here, and are not sensitive. Those of that name come first.
 * @param exceptId the service that declines
 */
export async function findToSuggest(
  deps: SuggestDeps,
  typed: string,
  exceptId?: string,
): Promise<OfferedService[]> {
  const search = typed.trim().slice(0, maxSearchLength);
  if (search === '' || search.includes('\0')) return [];
  const request = await readListRequest(deps, { search, full: true, per_page: 2 * maxOffered }, '');
  const services = (await searchServices(deps, request)).contents as ListedService[];
  const [open, sensitive] = await Promise.all([
    listOpenToReferrals(deps.db, services, deps.settings.mode),
    listSensitiveServices(deps.db),
  ]);
  const hasName = ({ name }: ListedService) => name.toLowerCase().includes(search.toLowerCase());
  const possible = services.filter(({ id }) => id !== exceptId && open.has(id) && !sensitive.includes(id));
  return [...possible.filter(hasName), ...possible.filter((each) => !hasName(each))]
    .slice(0, maxOffered)
    .map(({ id, name, organization }) => ({ id, name, organization: organization?.name }));
}

/** The same as a part of the form, for the script that looks for services while somebody types. */
export function suggestPart(app: App, deps: SuggestDeps): void {
  const config = page(signedIn('provider'));
  app.post(
    '/referrals/services',
    { config, schema: { hide: true, body: anyForm } },
    async (request, reply) => {
      const { suggest_search, declining_service } = readUntrimmedFields(request.body, [
        'suggest_search',
        'declining_service',
      ]);
      const services = await findToSuggest(deps, suggest_search, declining_service);
      const part = deps.pages.render('referrals/pages/templates/referral/offered-services.njk', {
        services,
        chosenId: '',
        searchedWords: suggest_search,
      });
      return reply.type('text/html; charset=utf-8').send(part);
    },
  );
}
