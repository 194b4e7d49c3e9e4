import { Type } from 'typebox';
import { listSystemsWithoutOwner } from '../accounts/index.ts';
import { describeFailure, listConnectionFailures } from '../platform/connections/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { accountPage } from './accounts/account-page.ts';
import { accountChangePages } from './accounts/change-pages.ts';
import { accountListPage } from './accounts/list-page.ts';
import { accountNewPage } from './accounts/new-page.ts';
import { systemNewPage, systemOwnerPage } from './accounts/systems-pages.ts';
import { teamPages } from './accounts/team-page.ts';
import { listLinkTags } from './admin-link-tags.ts';
import { auditPages } from './audit/pages.ts';
import { searchForOperator } from './find-for-operator.ts';
import { csvPages } from './library/csv-pages.ts';
import { libraryPages } from './library/import-pages.ts';
import { sensitivePages } from './library/sensitive-pages.ts';
import { synonymPages } from './library/synonym-pages.ts';
import { organisationPages } from './organisations/pages.ts';
import { failedEmailsPage } from './site/failed-emails-page.ts';
import { returnAddressPages } from './site/return-address-pages.ts';
import { settingsPage } from './site/settings-page.ts';
import { unmatchedPages } from './unmatched/pages.ts';
import { unusualAccessPages } from './unusual-access/pages.ts';

/** The pages from which an operator runs the site. */
export function operatorPages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ find: Type.Optional(Type.String({ maxLength: 200 })) });
  app.get(
    '/operator',
    { config: page(signedIn('operator')), schema: { querystring } },
    async (request, reply) => {
      const now = deps.clock.now();
      const text = request.query.find?.trim() ?? '';
      const failures = await listConnectionFailures(deps.db, now);
      return deps.pages.send(request, reply, 'operator/templates/operator.njk', {
        failures: failures.map(describeFailure),
        systemsWithoutOwner: await listSystemsWithoutOwner(deps.db),
        waiting: await listLinkTags(deps),
        text,
        kinds: text === '' ? [] : await searchForOperator(deps, text),
      });
    },
  );
  accountListPage(app, deps);
  accountNewPage(app, deps);
  teamPages(app, deps);
  systemNewPage(app, deps);
  systemOwnerPage(app, deps);
  accountPage(app, deps);
  accountChangePages(app, deps);
  organisationPages(app, deps);
  libraryPages(app, deps);
  sensitivePages(app, deps);
  csvPages(app, deps);
  auditPages(app, deps);
  unmatchedPages(app, deps);
  unusualAccessPages(app, deps);
  failedEmailsPage(app, deps);
  returnAddressPages(app, deps);
  synonymPages(app, deps);
  settingsPage(app, deps);
}
