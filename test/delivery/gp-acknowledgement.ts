/** The answer of a practice's system to a GP Connect message, as it comes to this site's mailbox. */
export function anAcknowledgement(about: string, code: string): Buffer {
  return Buffer.from(`<Bundle xmlns="http://hl7.org/fhir"><entry><resource><MessageHeader><response><identifier value="${about}"/>
    <code value="ok"/></response></MessageHeader></resource></entry><entry><resource><OperationOutcome><issue><details>
    <coding><code value="${code}"/></coding></details></issue></OperationOutcome></resource></entry></Bundle>`);
}
