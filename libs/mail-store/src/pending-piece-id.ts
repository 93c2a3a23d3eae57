/** Of a copy that is more than one document holds, the others behind its first. */
export const pendingPieceId = (changeId: string, position: number): string => `${changeId}:${position}`;
