import type { DeliveryStatus, ReferralStatus } from '../../referrals/index.ts';

/** A type of event. A change that would break clients becomes a new version, beside this one. */
export type EventType = {
  readonly type: string;
  readonly version: number;
  readonly resource: 'referral' | 'delivery' | 'message' | 'attachment' | 'service' | 'webhook';
  /** What happened, for the API document. */
  readonly meaning: string;
};

/** What each new status of a referral means. Drafts cause no events. */
const referralMeanings: Readonly<Record<Exclude<ReferralStatus, 'draft'>, string>> = {
  requested: 'A referral was made.',
  accepted: 'The service takes the person on.',
  rejected: 'The service cannot take the person on.',
  'in-progress': 'The service has begun.',
  'on-hold': 'The person is on the service’s waiting list, or the reason or date of that has changed.',
  completed: 'The service has done what it was asked.',
  failed: 'The service could not do what it was asked.',
  cancelled: 'The referral was called off.',
  'entered-in-error': 'The referral should never have been made.',
};

/** Somebody has to act, and only their side is told. */
const attentionMeanings = {
  prompted:
    'Somebody of your side has to look into something, or is reminded of it: read `prompts` of the referral. The other side gets no such event.',
};

/** What happened to a referral because of the person’s rights. Clients must do the same to their copies. */
const recordMeanings = {
  restricted: 'Nobody may work with the referral for now: restrict your copies of it.',
  unrestricted: 'The referral may be worked with again.',
  erased: 'What the referral said was erased: erase copies of it.',
};

/** What a referral says has changed, and its status has not. */
const contentMeanings = {
  corrected: 'Details of the referral were put right: read it again.',
  'agreement-changed': 'The consent has changed: read it again.',
  'things-have-changed': 'One side told the other that something changed for the person.',
  transferred: 'The referral is with another service of the same organisation: read it again.',
  'death-reported': 'The person was reported to have died: nothing more is sent until somebody confirms it.',
  'death-confirmed': 'The death was confirmed after the referral had ended: letters that waited are sent.',
  'death-undone':
    'The report of the death was a mistake, and nobody had confirmed it: the referral continues.',
};

const followUpMeanings = {
  'contact-logged': 'Staff of the service contacted the person, or tried.',
  measured:
    'A side added measures of how the person is, or the person answered questions about it on their page.',
  'appointment-changed': 'An appointment of the person with the service was booked or cancelled.',
  'person-page-changed':
    'The person’s own page was sent or ended, or the person said on it whether they got help, or that they no longer want the referral.',
};

const deliveryMeanings: Readonly<
  Record<Exclude<DeliveryStatus, 'queued' | 'sending' | 'suppressed'>, string>
> = {
  sent: 'A message about a referral was handed over.',
  received: 'The receiver can see it.',
  acknowledged: 'Its receiver has answered.',
  uncertain: 'Nobody can tell yet whether it arrived.',
  failed: 'It did not arrive, and is not tried again by itself.',
  expired: 'It was not taken in time.',
};

/** Sent to one webhook when its holder asks for it. It is not listed at `/api/events`. */
export const testEvent: EventType = {
  type: 'webhook.test',
  version: 1,
  resource: 'webhook',
  meaning: 'Somebody tries the webhook out.',
};

export const eventTypes: readonly EventType[] = [
  ...typesOf('referral', {
    ...referralMeanings,
    ...contentMeanings,
    ...followUpMeanings,
    ...attentionMeanings,
    ...recordMeanings,
  }),
  ...typesOf('delivery', deliveryMeanings),
  typeOf('message', 'created', 'One side of a referral wrote to the other.'),
  typeOf('attachment', 'created', 'One side of a referral attached a file.'),
  typeOf(
    'attachment',
    'removed',
    'A file was removed that was attached by mistake or has a virus, and is no longer there to read: delete your copies of it.',
  ),
  typeOf('service', 'changed', 'A service of the library was added or changed.'),
];

/** What every type looks like, also one of a later version. */
export const eventTypeShape = '[a-z]+(-[a-z]+)*\\.[a-z]+(-[a-z]+)*';

const versions = new Map(eventTypes.map(({ type, version }) => [type, version]));

/** The current version of a type; undefined for a type that does not exist. */
export function versionOf(type: string): number | undefined {
  return versions.get(type);
}

function typesOf(resource: EventType['resource'], meanings: Readonly<Record<string, string>>): EventType[] {
  return Object.entries(meanings).map(([name, meaning]) => typeOf(resource, name, meaning));
}

function typeOf(resource: EventType['resource'], name: string, meaning: string): EventType {
  return { type: `${resource}.${name}`, version: 1, resource, meaning };
}

/** An event with its position in the order of all events. */
export type Event = {
  position: number;
  id: string;
  type: string;
  version: number;
  resourceType: string;
  resourceId: string;
  path: string;
  referralId: string | null;
  referrerAccountId: string | null;
  referrerOrganisationId: string | null;
  serviceOrganizationId: string | null;
  createdAt: Date;
};

type PublicEvent = Pick<
  Event,
  'id' | 'type' | 'version' | 'createdAt' | 'resourceType' | 'resourceId' | 'path' | 'referralId'
>;

/** The event as clients read it: what happened, when, and where to read more. It says nothing about a person. */
export function presentEvent(baseUrl: string, event: PublicEvent) {
  return {
    id: event.id,
    type: event.type,
    version: event.version,
    created_at: event.createdAt.toISOString(),
    resource: {
      type: event.resourceType,
      id: event.resourceId,
      referral_id: event.referralId,
      href: `${baseUrl}${event.path}`,
    },
  };
}

export type PresentedEvent = ReturnType<typeof presentEvent>;
