import { Type } from 'typebox';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { type FieldError, notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { noteSeenByLink } from '../../referrals/index.ts';
import { readConfirmationToken } from '../channels/confirmation-link.ts';
import { applyReport } from './apply-report.ts';
import { type ConfirmableDelivery, findConfirmable, lockDelivery } from './follow-up-store.ts';

const linkLifetimeMs = 30 * dayMs;

/** The delivery of a link, and whether the link has expired; undefined for a link that this site did not make. */
async function readConfirmation(
  deps: Platform,
  token: string,
): Promise<(ConfirmableDelivery & { expired: boolean }) | undefined> {
  const messageId = readConfirmationToken(deps, token);
  const delivery = messageId && (await findConfirmable(deps.db, messageId));
  if (!delivery) return undefined;
  return { ...delivery, expired: deps.clock.now().getTime() - delivery.createdAt.getTime() > linkLifetimeMs };
}

/** Who confirms, in their own words: a person who has the link need not have an account here. */
type Confirmer = { name: string; role: string };

/**
 * Marks a message as confirmed by its receiver. A second time changes nothing. Only somebody who gives a name and a role has seen
 * the referral: without them, an urgent one is still watched.
 */
async function confirmDelivery(
  deps: Platform,
  token: string,
  { name, role }: Confirmer,
  ipAddress: string,
): Promise<void> {
  const confirmation = await readConfirmation(deps, token);
  if (!confirmation || confirmation.expired) return;
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    // Before the delivery is locked: answering a referral locks the referral first, too.
    if (confirmation.leg === 'service' && name !== '')
      await noteSeenByLink(trx, confirmation.referralId, {
        name: `${name}, ${role}, ${confirmation.receiverName}`,
        at,
        sentAt: confirmation.createdAt,
      });
    const confirmer = name === '' ? 'Somebody' : `${name}, ${role},`;
    const detail = `${confirmer} confirmed it for ${confirmation.receiverName} by the link in the message.`;
    const delivery = await lockDelivery(trx, confirmation.id);
    if (!delivery || !(await applyReport(trx, delivery, { status: 'acknowledged', detail }, at))) return;
    await recordAudit(trx, {
      at,
      actor: { name: `${confirmer} by the link in the message`, ipAddress },
      action: 'delivery.confirmed',
      subject: { type: 'referral', id: confirmation.referralId },
      details: { delivery: confirmation.id },
    });
  });
}

/**
 * The page of the link in an email. Opening it confirms nothing, because virus scanners open every link: a person must
 * press the button.
 */
export function confirmationPages(app: App, deps: WebPlatform): void {
  const config = page(anyone, { countsAsCall: true });
  const params = Type.Object({ token: Type.String({ maxLength: 200 }) });
  const show = async (request: Request, reply: Reply, token: string, refused?: RefusedConfirmation) => {
    const confirmation = await readConfirmation(deps, token);
    if (!confirmation) throw new Problem(notFound);
    if (refused) reply.code(422);
    return deps.pages.send(request, reply, 'delivery/templates/confirm.njk', {
      ...confirmation,
      token,
      confirmed: confirmation.status === 'acknowledged',
      values: {},
      ...refused,
    });
  };
  app.get('/confirm/:token', { config, schema: { params } }, (request, reply) =>
    show(request, reply, request.params.token),
  );

  app.post('/confirm/:token', { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const { token } = request.params;
    const values = readFields(request.body, ['name', 'role']);
    const errors = confirmerErrors(values);
    if (errors.length > 0) {
      const refused = toFormErrors(labels, new Problem(unprocessable, undefined, { errors }));
      return show(request, reply, token, { values, errors: refused });
    }
    await confirmDelivery(deps, token, values, request.ip);
    return reply.redirect(`/confirm/${encodeURIComponent(token)}`, 303);
  });
}

type RefusedConfirmation = { values: Confirmer; errors: ReturnType<typeof toFormErrors> };

/** The form's own messages are whole sentences, so they need no labels. */
const labels = { name: '', role: '' };

/** Both may be left out, so that no confirmation is lost. A name needs a role, and a role a name. */
function confirmerErrors({ name, role }: Confirmer): FieldError[] {
  if (name === '' && role === '') return [];
  const errors: FieldError[] = [];
  if (name.length < 2 || name.length > 100) errors.push({ pointer: '/name', message: 'Enter your name' });
  if (role.length < 2 || role.length > 100)
    errors.push({ pointer: '/role', message: 'Enter your role, such as duty manager' });
  return errors;
}
