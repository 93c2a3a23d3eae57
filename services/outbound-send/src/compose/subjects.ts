const ANSWERED = /^\s*(re|aw|sv|antw|odp|vs)\s*((\[\d+\]|\(\d+\))\s*)?:/i;
const FORWARDED = /^\s*(fwd?|wg|tr|rv)\s*:/i;

export const subjectOfReply = (subject: string): string => (ANSWERED.test(subject) ? subject : `Re: ${subject}`);

export const subjectOfForward = (subject: string): string => (FORWARDED.test(subject) ? subject : `Fwd: ${subject}`);
