import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import { type ReferralDeps, readFullReferral, referralView } from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { composeCaseFile } from './compose-case-file.ts';

/** A referral's page as a PDF, for everybody who sees the page. */
export function caseFilePage(app: App, deps: DeliveryDeps & ReferralDeps): void {
  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  app.get(
    '/referrals/:id/case.pdf',
    { config: page(signedIn()), schema: { hide: true, params } },
    async (request, reply) => {
      const caller = requireCaller(request);
      const full = await readFullReferral(deps, caller, request.params.id, request.ip);
      const { reference, id } = full.referral;
      await inTransaction(deps.db, (trx) =>
        recordAudit(trx, {
          at: deps.clock.now(),
          actor: actorOf(caller, request.ip),
          action: 'referral.case_copied',
          subject: { type: 'referral', id },
        }),
      );
      const reader = { name: caller.name, organisation: caller.organisation?.name ?? null };
      // What only their own organisation sees is left out, as its history of owners is.
      const view = referralView(deps.settings, { ...full, own: undefined });
      const file = composeCaseFile(deps.settings, view, reader);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="referral-${reference}.pdf"`)
        .send(await deps.letterDrawer.drawForReader(file, caller.accountId));
    },
  );
}
