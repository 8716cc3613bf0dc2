import type { ServerResponse } from 'node:http';

/** As much as is written at once. The system reports only whole writes, so smaller ones show that a slow client still reads. */
export const pieceBytes = 65_536;

/** Writes the body of an answer and ends it. A large one goes out in pieces, each once the system has taken the one before. */
export function sendBytes(response: ServerResponse, body: Buffer): void {
  let sentBytes = 0;
  const sendNext = () => {
    const piece = body.subarray(sentBytes, sentBytes + pieceBytes);
    sentBytes += piece.length;
    if (sentBytes === body.length) response.end(piece);
    else
      response.write(piece, (error) => {
        if (!error) sendNext();
      });
  };
  sendNext();
}
