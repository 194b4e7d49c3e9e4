/**
 * Words that say nothing about what somebody needs. PostgreSQL skips some of them, but not all that people use in a
 * question, and the page would list them among the words that found a service.
 */
const smallWords = new Set(
  `a about after again age aged ago all also always am an and any anybody anyone anything anywhere are
  arent around as at back be because been before behind being best better bit but by can cannot cant client
  clients come comes coming could couldnt daily did didnt do does doesnt doing dont down each else even
  ever every everybody everyone everything everywhere feel feeling feels few find finding for from gave give given gives giving get
  gets getting go goes going gone good got had hadnt has hasnt have havent having he help helped helping
  helps her here hers herself hes him himself his how however i id if im in into is isnt issue issues it
  its itself ive just keep keeps kept know known knows last let lets like likes local look looking looks
  lot lots made make many may maybe me might mine more most much must my myself near nearby need needing
  needs never no nor not nothing now of off often old on once only or other our ours ourselves out over
  own patient patients people person place places please possibly problem problems put quite really
  require required requires same seem seems service services shall she shes should shouldnt since so
  some somebody someone something sometimes somewhere soon still struggle struggles struggling stuff
  such take takes taking than thanks that thats the their theirs them themselves then there theres these
  they theyre theyve thing things think thinking thinks this those though through to today tomorrow
  tonight too tries try trying under until up upon use used uses using very want wants was wasnt way
  ways we week weeks went were werent weve what whats when where which while who whom whos whose why
  will with within without won wont would wouldnt year years yet you your youre yours yourself yr yrs`.split(
    /\s+/,
  ),
);

/** Whether a word says anything about what is looked for. */
export function hasMeaning(word: string): boolean {
  return word.length > 1 && !smallWords.has(word);
}
