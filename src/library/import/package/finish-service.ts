/** What of older versions hung on a service as rows of its own, and is text or a field of it since 3.0. */
export function finishService({ eligibility, ...service }: Record<string, unknown>): Record<string, unknown> {
  // Versions before 3.0 did not demand it, and their packages often leave it empty.
  service.status ??= 'active';
  if (service.organization !== undefined) delete service.organization_id;
  if (service.program !== undefined) delete service.program_id;
  const texts = rowsOf(eligibility).flatMap((row) =>
    typeof row.eligibility === 'string' ? row.eligibility : [],
  );
  if (texts.length > 0) service.eligibility_description ??= texts.join('; ');
  return service;
}

/** Version 3.0 demands a type, for which older ones had no field: that of the address, or of what is somewhere. */
export function finishLocation(location: Record<string, unknown>): void {
  const [address] = rowsOf(location.addresses);
  const type = address?.address_type ?? (location.latitude === undefined ? undefined : 'physical');
  if (type !== undefined) location.location_type ??= type;
}

function rowsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}
