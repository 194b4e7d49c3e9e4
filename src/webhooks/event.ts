/** An event as it stands in its place among all. */
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

type Told = Pick<Event, 'id' | 'type' | 'version' | 'createdAt' | 'resourceType' | 'resourceId' | 'path'>;

/** The event as it is read and sent: what happened, when, and where to read more. Nothing about a person. */
export function presentEvent(baseUrl: string, event: Told) {
  return {
    id: event.id,
    type: event.type,
    version: event.version,
    created_at: event.createdAt.toISOString(),
    resource: { type: event.resourceType, id: event.resourceId, href: `${baseUrl}${event.path}` },
  };
}

export type PresentedEvent = ReturnType<typeof presentEvent>;
