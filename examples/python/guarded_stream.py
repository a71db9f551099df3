"""FastAPI: a checked question, and a guarded stream as the response.

pip install spanwise fastapi uvicorn openai; uvicorn guarded_stream:app
"""

from collections.abc import AsyncIterator

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse
from openai import AsyncOpenAI

from spanwise import GuardrailBlocked, Spanwise, observe

sw = Spanwise(service="support")
client = sw.wrap_openai(AsyncOpenAI())
app = FastAPI()


@observe
async def answer(question: str) -> AsyncIterator[str]:
    """What the model says, piece by piece."""
    stream = await client.chat.completions.create(
        model="gpt-4o-mini", messages=[{"role": "user", "content": question}], stream=True
    )
    async for chunk in stream:
        yield chunk.choices[0].delta.content or ""


async def checked(question: str, user: str) -> AsyncIterator[str]:
    """The answer as far as nothing that follows can change it, redacted; a block ends it."""
    with sw.context(user_id=user):
        try:
            async for piece in sw.guard.stream(answer(question)):
                yield piece
        except GuardrailBlocked:
            yield "\nI cannot answer that."


@app.post("/answer")
async def post_answer(request: Request) -> StreamingResponse:
    """A question as text; the answer as a stream."""
    question = (await request.body()).decode()
    verdict = await sw.guard.acheck(question)
    if verdict.blocked:
        raise HTTPException(400, "This question is not answered here.")
    user = request.headers.get("x-user", "anonymous")
    return StreamingResponse(checked(verdict.text, user), media_type="text/plain")
