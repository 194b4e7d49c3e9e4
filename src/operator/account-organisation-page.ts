import { setOrganisation } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';
import { readFields } from './read-fields.ts';
import { requireOrganisation } from './read-organisation.ts';

/** Moves an account to another organisation. */
export function accountOrganisationPage(app: App, deps: WebPlatform): void {
  const read = (body: unknown) => readFields(body, ['organisation']);
  changePage(app, deps, {
    name: 'organisation',
    template: 'operator/templates/change-organisation.njk',
    labels: { organisation: 'Organisation' },
    values: ({ organisation }) => ({ organisation: organisation?.name ?? '' }),
    read,
    async change(actor, { id, roles }, body) {
      const organisation = await requireOrganisation(deps.db, roles, read(body).organisation);
      await setOrganisation(deps, actor, { id }, organisation);
      return 'organisation';
    },
  });
}
