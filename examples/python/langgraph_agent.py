"""A LangGraph agent, recorded by OpenInference's instrumentation of LangChain.

pip install spanwise langgraph langchain-openai openinference-instrumentation-langchain
"""

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from spanwise import Spanwise

sw = Spanwise(service="weather")
print("recorded:", *sw.instrument())

model = ChatOpenAI(model="gpt-4o-mini")


def answer(state: MessagesState) -> dict[str, list[object]]:
    """One step of the agent."""
    return {"messages": [model.invoke(state["messages"])]}


graph = StateGraph(MessagesState)
graph.add_node("answer", answer)
graph.add_edge(START, "answer")
graph.add_edge("answer", END)
agent = graph.compile()

with sw.trace(
    "weather", kind="agent", agent_name="weather-agent", user_id="user-1", session_id="session-1", input="How is the weather?"
) as trace:
    result = agent.invoke({"messages": [{"role": "user", "content": "How is the weather?"}]})
    trace.update(output=result["messages"][-1].content)
    sw.score(evaluator="length", score=len(result["messages"][-1].content))
print(result["messages"][-1].content)
print("trace:", trace.trace_id)
