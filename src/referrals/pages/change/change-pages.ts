import { type App, page, signedIn } from '../../../platform/http/index.ts';
import { agreementPage } from './agreement-page.ts';
import { correctionPage } from './correction-page.ts';
import { deathPages } from './death-pages.ts';
import { lifeChangePages } from './life-change-pages.ts';
import { type ChangeDeps, params, showChange } from './show-change.ts';

/** The forms of a sent referral that change what it says: a correction, another agreement, and news of the person. */
export function changePages(app: App, deps: ChangeDeps): void {
  const config = page(signedIn());
  const schema = { hide: true, params } as const;
  for (const form of ['correct', 'agreement', 'things-have-changed', 'died'] as const)
    app.get(`/referrals/:id/${form}`, { config, schema }, (request, reply) =>
      showChange(deps, request, reply, form),
    );
  correctionPage(app, deps);
  agreementPage(app, deps);
  lifeChangePages(app, deps);
  deathPages(app, deps);
}
