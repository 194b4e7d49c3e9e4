import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  orNull,
  problemAnswers,
} from '../../../platform/http/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { idParams, resources, tags } from '../../hsds/resource.ts';
import { availabilities, maxWaitingTimeLength } from '../../model/availability.ts';
import {
  channelRoute,
  jsonAnswer,
  rawJsonRoute,
  readRoute,
  refusals,
  sendService,
  serviceAnswer,
} from '../edit-responses.ts';
import { listHistory } from './list-history.ts';
import { readReferralSettings, setReferralSettings } from './referral-settings.ts';
import { referralSettingsSchema } from './referral-settings-schema.ts';
import { markChecked, setAvailability } from './set-availability.ts';
import { makeWebhookSecret } from './webhook-secret.ts';

const params = idParams(resources.services);
const withoutMailServer = problemAnswers({
  409: 'The site has no mail server (`no-mail-server`), so nobody would get the link that confirms a new address.',
});

/** Availability, checks, referral settings and history of a service. */
export function stateRoutes(app: App, deps: Platform): void {
  availabilityRoute(app, deps);
  checkedRoute(app, deps);
  referralSettingsRoutes(app, deps);
  webhookSecretRoute(app, deps);
  historyRoute(app, deps);
}

/** HSDS calls availability `capacity`, so the path and the operation do too; the title and the code say availability. */
function availabilityRoute(app: App, deps: Platform): void {
  const body = Type.Object(
    {
      status: Type.Enum(availabilities, {
        title: 'Availability',
        description:
          'Whether it takes new people, has a waiting list, is full, or says so only after an assessment of its own.',
      }),
      waiting_time: Type.Optional(
        Type.Union([Type.String({ minLength: 1, maxLength: maxWaitingTimeLength }), Type.Null()], {
          description: 'How long people wait, in words.',
        }),
      ),
    },
    { additionalProperties: false, examples: [{ status: 'waitlist', waiting_time: 'about six weeks' }] },
  );
  const schema = {
    operationId: 'setServiceCapacity',
    tags,
    summary: 'Set a service’s availability',
    description:
      'Whether the service can take more people now, and how long they wait. The site notes when that was said and by whom, so saying the same again keeps it fresh.',
    params,
    body,
    response: { 200: serviceAnswer('The service as it is read now.'), ...refusals('by-id') },
  };
  app.put('/api/library/services/:id/capacity', { ...rawJsonRoute, schema }, async (request, reply) => {
    const { status } = request.body;
    const waiting_time = request.body.waiting_time?.trim() || null;
    const change = { id: request.params.id, ipAddress: request.ip, availability: { status, waiting_time } };
    return sendService(reply, await setAvailability(deps, requireCaller(request), change));
  });
}

function checkedRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'markServiceChecked',
    tags,
    summary: 'Say that an entry is right',
    description:
      'Somebody looked at the service’s entry today and found it right: sets `assured_date` to today, and `assurer_email` to the address of the organisation, for a provider, or else of the account.',
    params,
    response: { 200: serviceAnswer('The service as it is read now.'), ...refusals('by-id') },
  };
  app.post('/api/library/services/:id/checked', { ...rawJsonRoute, schema }, async (request, reply) => {
    const checked = { id: request.params.id, ipAddress: request.ip };
    return sendService(reply, await markChecked(deps, requireCaller(request), checked));
  });
}

const exampleSettings = {
  accepts: true,
  channels: ['inbox', 'email'],
  addresses: { email: 'referrals@weirhouse.example.org' },
  answered_by: {
    name: 'The befriending desk',
    email: 'desk@weirhouse.example.org',
    telephone: '01632 960011',
  },
};

const {
  sensitive_reason: _sensitive,
  location_reason: _location,
  retention_reason: _retention,
  ...storedSettings
} = referralSettingsSchema.properties;

const settingsAnswer = Type.Object(
  {
    ...storedSettings,
    unconfirmed_addresses: Type.Array(
      Type.Object({
        name: Type.String({
          description:
            'Which of `addresses`; `answer_email` is that of `answered_by`, and `code_email` and `code_telephone` those for codes.',
        }),
        address: Type.String(),
        in_use: Type.Union([Type.String(), Type.Null()], {
          description: 'Where letters go until it is confirmed; null for nowhere.',
        }),
        link_ends_at: Type.String(),
      }),
      {
        description: 'Addresses that nothing is sent to before somebody confirms them by an emailed link.',
      },
    ),
    updated_at: Type.Union([Type.String(), Type.Null()], {
      description: 'Null as long as nobody has set them.',
    }),
  },
  { title: 'ReferralSettings' },
);

function referralSettingsRoutes(app: App, deps: Platform): void {
  const url = '/api/library/services/:id/referral_settings';
  const answer = jsonAnswer('What holds now.', settingsAnswer, {
    ...exampleSettings,
    unconfirmed_addresses: [
      {
        name: 'email',
        address: 'referrals@weirhouse.example.org',
        in_use: 'letters@weirhouse.example.org',
        link_ends_at: '2026-11-28T09:30:00.000Z',
      },
    ],
    updated_at: '2026-11-21T09:30:00.000Z',
  });
  const read = {
    operationId: 'getServiceReferralSettings',
    tags,
    summary: 'Read how referrals reach a service',
    description:
      'Whether the service takes referrals on this site, by which channels they reach it, and who answers them. For operators, and providers of its organisation.',
    params,
    response: { 200: answer, ...refusals('by-id') },
  };
  app.get(url, { ...channelRoute, schema: read }, (request) =>
    readReferralSettings(deps, requireCaller(request), request.params.id),
  );
  const set = {
    operationId: 'setServiceReferralSettings',
    tags,
    summary: 'Say how referrals reach a service',
    description:
      'Whether the service takes referrals on this site, by which channels they reach it, and who answers them; what you leave out of `answered_by` is removed. It holds for referrals that are made from now on, and for messages that are still to be sent. A new address is used once it is confirmed by an emailed link; the old one is used until then. The people at the old address, the providers of the organisation and the operators are told of each change.',
    params,
    body: { ...referralSettingsSchema, examples: [exampleSettings] } as typeof referralSettingsSchema,
    response: { 200: answer, ...refusals('by-id'), ...withoutMailServer },
  };
  app.put(url, { ...channelRoute, schema: set }, (request) => {
    const change = { id: request.params.id, ipAddress: request.ip, settings: request.body };
    return setReferralSettings(deps, requireCaller(request), change);
  });
}

function webhookSecretRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'makeServiceWebhookSecret',
    tags,
    summary: 'Make the secret of a service’s own system',
    description:
      'Makes a new secret, which replaces the one before. Messages to the service’s own system (the channel `webhook`) are signed with it by the Standard Webhooks rules. It is shown here and never again. The address must have been set.',
    params,
    response: {
      200: jsonAnswer('The secret.', Type.Object({ secret: Type.String() }), {
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      }),
      ...refusals('by-id'),
    },
  };
  const url = '/api/library/services/:id/referral_settings/webhook_secret';
  app.post(url, { ...channelRoute, schema }, async (request) => {
    const secretRequest = { id: request.params.id, ipAddress: request.ip };
    return { secret: await makeWebhookSecret(deps, requireCaller(request), secretRequest) };
  });
}

function historyRoute(app: App, deps: Platform): void {
  const change = Type.Object(
    {
      id: Type.String(),
      at: Type.String({ description: 'When.' }),
      action: Type.Enum(['create', 'update', 'delete'], { title: 'ServiceChange' }),
      field_name: Type.String({ description: 'Which field, as HSDS calls it.' }),
      previous_value: Type.String({
        description: 'What it was, as text; JSON where it was no single value.',
      }),
      replacement_value: Type.String({ description: 'What it is since then.' }),
      updated_by: Type.String({ description: 'The organisation, the import or the source that changed it.' }),
      account: Type.Union([Type.Object({ id: Type.String(), name: orNull(Type.String()) }), Type.Null()]),
    },
    { title: 'ServiceHistoryEntry' },
  );
  const value = orNull(Type.String());
  const addressChange = Type.Object(
    {
      id: Type.String(),
      at: Type.String({ description: 'When.' }),
      name: Type.String({
        description:
          'Whose address: `email`, `webhook`, `mesh`, `answer_email`, `code_email` or `code_telephone`; or `channels`, for the order of all.',
      }),
      action: Type.Enum(['asked', 'confirmed', 'removed', 'taken-back', 'reordered'], {
        title: 'AddressChange',
        description: 'An address that is `asked` for is used once it is `confirmed`.',
      }),
      previous_value: value,
      replacement_value: value,
      changed_by: Type.String({ description: 'Who changed or confirmed it.' }),
    },
    { title: 'AddressHistoryEntry' },
  );
  const answer = Type.Object({
    ...listOf(change).properties,
    address_changes: Type.Array(addressChange, {
      description:
        'The last 100 changes of where letters about referrals go, the newest first. With the first page alone.',
    }),
  });
  const schema = {
    operationId: 'listServiceHistory',
    tags,
    summary: 'Read who changed what of a service',
    description:
      'Every change of a service, one field of one change an entry, the newest first. For operators, who can read it of deleted services too, and for providers of its organisation.',
    params,
    querystring: Type.Object(listQuery, noOtherFields),
    response: { 200: answer, ...refusals('by-id') },
  };
  app.get('/api/library/services/:id/history', { ...readRoute, schema }, (request) => {
    const { limit = 50, cursor } = request.query;
    return listHistory(deps, requireCaller(request), { id: request.params.id, cursor, limit });
  });
}
