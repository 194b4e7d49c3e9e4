import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { accountApiAccessPage } from './account-api-access-page.ts';
import { accountDisablePage } from './account-disable-page.ts';
import { accountEmailPage } from './account-email-page.ts';
import { accountFactorsPage } from './account-factors-page.ts';
import { accountInvitationPage } from './account-invitation-page.ts';
import { accountListPage } from './account-list-page.ts';
import { accountNewPage } from './account-new-page.ts';
import { accountOrganisationPage } from './account-organisation-page.ts';
import { accountPage } from './account-page.ts';
import { accountRolesPage } from './account-roles-page.ts';
import { auditPages } from './audit-pages.ts';
import { csvPages } from './csv-pages.ts';
import { libraryPages } from './library-pages.ts';
import { looseEndPages } from './loose-ends/pages.ts';
import { reportPage } from './report-page.ts';
import { returnAddressPages } from './return-address-pages.ts';
import { synonymPages } from './synonym-pages.ts';

/** Where an operator runs the site from. */
export function operatorPages(app: App, deps: WebPlatform): void {
  app.get('/operator', { config: page(signedIn('operator')) }, (request, reply) =>
    deps.pages.send(request, reply, 'operator/templates/operator.njk'),
  );
  accountListPage(app, deps);
  accountNewPage(app, deps);
  accountPage(app, deps);
  accountApiAccessPage(app, deps);
  accountDisablePage(app, deps);
  accountEmailPage(app, deps);
  accountRolesPage(app, deps);
  accountOrganisationPage(app, deps);
  accountInvitationPage(app, deps);
  accountFactorsPage(app, deps);
  libraryPages(app, deps);
  csvPages(app, deps);
  auditPages(app, deps);
  looseEndPages(app, deps);
  reportPage(app, deps);
  returnAddressPages(app, deps);
  synonymPages(app, deps);
}
