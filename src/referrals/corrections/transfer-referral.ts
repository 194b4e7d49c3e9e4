import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  findReferralMarks,
  findServiceForReferral,
  isUnattended,
  listConfidentialServices,
  listOpenToReferrals,
  listServicesOfOrganization,
  type ServiceForReferral,
} from '../../library/index.ts';
import { type Db, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { type ExpectedVersion, lockVersionForSides } from '../model/access/access.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { mustBeOpenedSoon, watchAgain, watchUntilSeen, watchWords } from '../model/attention/watches.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { requireFit } from '../model/person/fit.ts';
import { overrideErrors } from '../model/person/override-errors.ts';
import { expectedOf, sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { nothingChangedProblem } from '../model/problems.ts';
import type { Referral, ReferralContent } from '../model/referral.ts';
import { fitOverrideSchema, longText } from '../model/schemas/new-referral.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  orServiceHidden,
  staleVersion,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { deathUnconfirmedProblem } from '../model/status/state-machine.ts';
import { serviceErrors } from '../submit/checks/library-lookups.ts';
import { requireCorrectable } from './correct-referral.ts';
import { changesBetween } from './correction.ts';
import { updateService } from './transfer-store.ts';

/** The body of a transfer. */
const transferSchema = Type.Object(
  {
    service_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The id of the other service. The same organisation runs it, and it takes referrals here.',
    }),
    reason: longText('Why, for the referrer and the other service to read.'),
    fit_override: Type.Optional({
      ...fitOverrideSchema,
      description: 'Why the other service takes the person although they are outside its ages or its area.',
    }),
  },
  { ...noOtherFields, title: 'Transfer' },
);

export type Transfer = Static<typeof transferSchema>;

/**
 * Moves an open referral to another service of the organisation that received it. Its status, its dates and its conversation stay. The
 * referrer and the other service are told at once.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state` if it is not open or the person is said to have died,
 * `unprocessable` for a service that it cannot go to, `does-not-fit`.
 */
export async function transferReferral(
  deps: ReferralDeps,
  caller: Caller,
  { transfer, ipAddress, ...expected }: ExpectedVersion & { transfer: Transfer; ipAddress: string },
): Promise<PresentedReferral> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const referral = requireCorrectable(await lockVersionForSides(trx, caller, expected, ['provider']));
    const at = deps.clock.now();
    if (referral.deathReportedAt !== null) throw deathUnconfirmedProblem();
    const { fit_override } = transfer;
    requireValidReasons(transfer);
    const service = await findTransferTarget(trx, deps, referral, transfer.service_id);
    const { patient } = referral.content;
    await requireFit(trx, service, { service_id: service.id, patient, fit_override }, at);
    const changed = await moveToService(trx, deps, caller, referral, { transfer, service, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.transferred',
      subject: { type: 'referral', id: referral.id },
      details: { from: referral.service_id, to: service.id },
    });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/** @throws Problem `unprocessable` */
function requireValidReasons({ reason, fit_override }: Transfer): void {
  const errors = [...reasonErrors(reason, { maxLength: Infinity }), ...overrideErrors({ fit_override })];
  if (errors.length > 0) throw nothingChangedProblem(errors);
}

/** The service that the referral goes to. @throws Problem `unprocessable` */
async function findTransferTarget(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  referral: Referral,
  id: string,
): Promise<ServiceForReferral> {
  const targetProblem = (code: string, message: string) =>
    nothingChangedProblem([{ pointer: '/service_id', message, code }]);
  if (id === referral.service_id) throw targetProblem('same-service', 'is the service that has it already');
  const service = await findServiceForReferral(trx, id);
  const { organization_id } = referral.service;
  if (!service || organization_id === null || service.organization?.id !== organization_id)
    throw targetProblem('not-yours', 'is not a service of the organisation that received the referral');
  const isUnattendedHere = settings.mode === 'live' && (await isUnattended(trx, service));
  const [error] = serviceErrors({ unattended: new Set(isUnattendedHere ? [service.id] : []) }, service);
  if (error) throw nothingChangedProblem([error]);
  const confidential = await listConfidentialServices(trx);
  const { isSensitiveOrConfidential } = await findReferralMarks(trx);
  if (isSensitiveOrConfidential(referral) && !confidential.includes(service.id))
    throw targetProblem('less-confidential', isLessConfidential);
  return service;
}

/** Otherwise the referrer's colleagues could read what was written at a refuge. */
const isLessConfidential =
  'is less confidential than the service that has the referral: ask the referrer to make a new one';

type Move = { transfer: Transfer; service: ServiceForReferral; at: Date };

async function moveToService(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  referral: Referral,
  { transfer: { reason, fit_override }, service, at }: Move,
): Promise<Referral> {
  const content = contentForService(service, referral.content, fit_override);
  const actor = historyActorOf(caller);
  const update = {
    service_id: service.id,
    service: {
      name: service.name,
      organization_id: referral.service.organization_id,
      organization_name: referral.service.organization_name,
    },
    content,
  };
  const changes = [
    { field: 'service', from: referral.service.name, to: service.name },
    ...changesBetween(referral, { ...referral, content }),
  ];
  const line = {
    details: { kind: 'transfer', changes, services: { from: referral.service_id, to: service.id } },
    reason: { code: 'other', text: reason },
    actor,
    at,
  } as const;
  const changed = await updateService(trx, referral, update, line);
  await deletePrompts(trx, referral.id, [
    'service-closed',
    'service-stopped',
    'service-moved',
    'service-sensitive',
  ]);
  await watchTransfer(trx, deps, changed, { authorId: caller.accountId, reason, at });
  const change = { kind: 'transfer', by: 'provider', reason, actorId: actor.id, at } as const;
  await deps.roomsAbove.onContentChange(trx, { referral: changed, before: referral, ...change });
  return changed;
}

/**
 * The content without what was only about the earlier service: its override and, if the new service is sensitive, the agreement to a copy for
 * the practice, until somebody has asked the person again.
 */
function contentForService(
  { sensitive }: ServiceForReferral,
  { fit_override: _, ...content }: ReferralContent,
  fit_override: Transfer['fit_override'],
): ReferralContent {
  const consent = sensitive ? { ...content.consent, share_with_gp: false } : content.consent;
  return { ...content, consent, ...(fit_override && { fit_override }) } as ReferralContent;
}

/**
 * Watches the referral until a colleague has seen it at its new service. The watch is stored as that of a correction, which also ends when
 * one of them opens the referral.
 */
async function watchTransfer(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  referral: Referral,
  { authorId, reason, at }: { authorId: string; reason: string; at: Date },
): Promise<void> {
  // The referrer reads the reason, too.
  await watchWords(trx, settings, referral, { by: 'provider', authorId, texts: [reason], at });
  if (mustBeOpenedSoon(referral, settings.crisisPhrases))
    return watchAgain(trx, settings, referral, authorId, at);
  const watch = {
    id: newId(at.getTime()),
    kind: 'correction',
    unseenBy: 'provider',
    authorId,
    at,
    text: reason,
  } as const;
  await watchUntilSeen(trx, settings, referral, watch);
}

const maxServices = 500;

/** The other services that a referral can be transferred to. */
export async function listTransferTargets(
  { db, settings }: { db: Db; settings: ReferralDeps['settings'] },
  referral: Pick<Referral, 'service_id' | 'service' | 'created_at'>,
): Promise<{ id: string; name: string }[]> {
  const { service_id, service } = referral;
  if (service.organization_id === null) return [];
  const services = await listServicesOfOrganization(db, service.organization_id, maxServices);
  const open = await listOpenToReferrals(db, services, settings.mode);
  const confidential = await listConfidentialServices(db);
  const mustBeConfidential = (await findReferralMarks(db)).isSensitiveOrConfidential(referral);
  return services.filter(
    ({ id }) => id !== service_id && open.has(id) && (!mustBeConfidential || confidential.includes(id)),
  );
}

export function transferRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/transfer',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'transferReferral',
        tags,
        summary: 'Transfer a referral to another service of your organisation',
        description:
          'For staff of the service, while the referral is open. It stays the same referral with the same status, due date, messages and files. The referrer is told at once, and the other service gets it as a letter; a GP practice that had a copy gets a new one. Where the other service is sensitive, the practice is told nothing more until somebody records with `…/agreement-changed` that the person agrees. A referral to a sensitive service, or to one whose place is confidential, goes only to another of that kind.',
        params: idParams,
        headers: ifMatchHeaders,
        body: {
          ...transferSchema,
          examples: [
            { service_id: 'thursday-choir', reason: 'She would rather come on Thursdays, near her home.' },
          ],
        },
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            ...staleVersion,
            403: `This is for staff of the service.${orServiceHidden}`,
            404: notYours,
            409: 'The referral is not open, is restricted, or was erased; or a reported death must be dealt with first.',
            422: 'The service is not one of your organisation, takes no referrals, or is less confidential; or the person is outside its ages or area (`does-not-fit`).',
          }),
        },
      },
    },
    async (request, reply) => {
      const expected = expectedOf(request);
      const transfer = request.body as Transfer;
      return sendReferral(
        reply,
        await transferReferral(deps, requireCaller(request), { ...expected, transfer }),
      );
    },
  );
}
