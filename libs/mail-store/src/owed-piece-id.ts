/** Of a copy that is more than one document holds, the others behind its first. */
export const owedPieceId = (changeId: string, position: number): string => `${changeId}:${position}`;
