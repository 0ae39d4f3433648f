"""What two made Office files hold: a string for each way in which Word and PowerPoint keep text."""

# syn_ko_everything.docx ...
DOCX_REQUIRED = {
    "heading": "제1장 사업 개요",
    "w:ins": "3월 31일",
    "inserted paragraph": "통째로 삽입된 문단.",
    "w:moveTo": "옮겨 온 문장.",
    "w:smartTag": "스마트태그 안 글",
    "block w:sdt": "블록 콘텐츠 컨트롤 문단",
    "inline w:sdt": "인라인 컨트롤 값",
    "w:fldSimple": "필드 결과",
    "w:fldChar": "7쪽",
    "hyperlink": "하이퍼링크 글",
    "tab and break": "줄바꿈 뒤",
    "beside hidden text": "보이는 글",
    "ruby base": "漢字",
    "text box": "텍스트상자 내용",
    "host of a text box": "글상자 붙은 문단",
    "table": "인건비",
    "nested table": "중첩표A",
    "sdt row": "컨트롤 행",
    "sdt cell": "컨트롤 셀",
    "list": "둘째 항목",
    "commented text": "본문에 주석",
    "footnoted text": "각주 붙은 문장",
    "NFD text": "자소분리 문단",
    "footnote": "각주: 2025년 결산 기준",
    "comment": "검토 의견: 금액 재확인",
    "header": "머리글: 대외비",
    "footer": "바닥글: 정보화전략팀",
}
# ... and what no reader of the document sees.
DOCX_FORBIDDEN = {"w:del": "3월 1일", "w:moveFrom": "옮겨 간 문장.", "w:vanish": "숨은 글"}

# syn_ko_everything.pptx
PPTX_REQUIRED = {
    "title": "1분기 실적",
    "drawn last": "위 왼쪽(나중 그림)",
    "drawn first": "아래 오른쪽(먼저 그림)",
    "group": "그룹 안 글",
    "nested group": "중첩 그룹 글",
    "notes": "발표자 노트: 매출 12% 증가 설명",
    "table label": "매출",
    "table value": "112",
    "chart title": "월별 가입자",
    "chart series": "가입자수",
    "chart value": "1350",
    "chart category": "2월",
    "hidden slide": "숨긴 슬라이드",
    "list": "상위",
    "inner list": "하위",
}
