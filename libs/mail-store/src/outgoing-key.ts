const OUTGOING = 'outgoing:';

/** The source key of an email that is made here: a repeated operation finds it. */
export const outgoingKey = (operationId: string): string => `${OUTGOING}${operationId}`;
export const isOutgoingKey = (sourceKey: string): boolean => sourceKey.startsWith(OUTGOING);

/** The operation that prepares the reply to an email: there is one at most. */
export const replyOperation = (emailId: string): string => `reply:${emailId}`;
